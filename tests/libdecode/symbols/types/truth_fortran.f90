! SPDX-License-Identifier: BSD-3-Clause
! Data of Fortran: modules, COMMON, arrays by columns; it prints what lies where, in lines as truth.h has them.
module shapes
	use iso_c_binding
	implicit none
	type :: point
		integer(4) :: number
		real(8) :: place(3)
		character(len=5) :: name
	end type point
	type, extends(point) :: named_point
		integer(2) :: more
	end type named_point
	real(8), target :: matrix(3, 4)
	integer(4), target :: cube(2, 0:2, -1:1)
	type(point), target :: points(2, 3)
	type(named_point), target :: last_point
	real(4), allocatable, target :: grown(:, :)
	character(len=8), target :: label
contains
	subroutine tell(where, width, text)
		type(c_ptr), value :: where
		integer, value :: width
		character(len=*), intent(in) :: text
		integer(c_intptr_t) :: address
		address = transfer(where, address)
		print '(A,I0,A,I0,A,A)', 'address ', address, ' ', width, ' ', trim(text)
	end subroutine tell
end module shapes

program truth
	use shapes
	implicit none
	integer(4) :: in_block
	real(8) :: block_real(2)
	common /shared/ in_block, block_real
	target :: in_block, block_real
	integer, save, target :: kept(5)
	type(c_ptr) :: label_place
	integer :: i, j, k
	character(len=80) :: text

	allocate(grown(2, 2))
	do j = 1, 4
		do i = 1, 3
			write (text, '(A,I0,A,I0,A)') 'shapes::matrix(', i, ',', j, ')'
			call tell(c_loc(matrix(i, j)), 8, text)
		end do
	end do
	do k = -1, 1
		do j = 0, 2
			do i = 1, 2
				write (text, '(A,I0,A,I0,A,I0,A)') 'shapes::cube(', i, ',', j, ',', k, ')'
				call tell(c_loc(cube(i, j, k)), 4, text)
			end do
		end do
	end do
	do j = 1, 3
		do i = 1, 2
			write (text, '(A,I0,A,I0,A)') 'shapes::points(', i, ',', j, ').place(2)'
			call tell(c_loc(points(i, j)%place(2)), 8, text)
			write (text, '(A,I0,A,I0,A)') 'shapes::points(', i, ',', j, ').number'
			call tell(c_loc(points(i, j)%number), 4, text)
		end do
	end do
	call tell(c_loc(last_point%more), 2, 'shapes::last_point.more')
	call tell(c_loc(last_point%place(3)), 8, 'shapes::last_point.point.place(3)')
	label_place = c_loc(label)
	call tell(label_place, 1, 'shapes::label')
	call tell(c_loc(in_block), 4, 'in_block')
	call tell(c_loc(block_real(2)), 8, 'block_real(2)')
	call tell(c_loc(kept(4)), 4, 'kept(4)')
	print '(A,I0)', 'size shapes::point, ', storage_size(points(1, 1)) / 8
	kept(1) = 1
end program truth
