! SPDX-License-Identifier: BSD-3-Clause
! Samples by array in a Fortran code. The subroutine that is called for each sample gets a set of
! the fields that have a value, and all values; numbers of fields come from precisf_field.
module counts
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: addr                   ! number of the field 'addr'
  integer(8) :: first(2), bytes     ! of the two arrays
  integer(8) :: samples(0:2) = 0    ! 0: of other addresses, or without one
contains
  subroutine count_sample(event_set, event_code, present, values)
    integer :: event_set, event_code, n, which
    integer(8) :: present(*), values(*)

    which = 0
    if (btest(present((addr - 1) / 64 + 1), mod(addr - 1, 64))) then
      do n = 1, 2
        if (values(addr) >= first(n) .and. values(addr) < first(n) + bytes) which = n
      end do
    end if
    samples(which) = samples(which) + 1
  end subroutine
end module

program main
  use counts
  implicit none
  include 'f90papi.h'
  external :: precisf_set_sampling, precisf_drain, precisf_get_statistics, precisf_field
  integer, parameter :: elements = 1048576, watermark = 1
  real(8), allocatable, target :: a(:), b(:)
  integer(8) :: statistics(2), total(1), period = 1
  real(8) :: no_limit = 0
  integer :: set = PAPI_NULL, code, check, i

  check = PAPI_VER_CURRENT
  call PAPIF_library_init(check)
  if (check /= PAPI_VER_CURRENT) stop 'libpapi is of another version than f90papi.h'
  call PAPIF_event_name_to_code('precis:::SW_PAGE_FAULTS', code, check)
  call must(check, 'PAPIF_event_name_to_code')
  call PAPIF_create_eventset(set, check)
  call must(check, 'PAPIF_create_eventset')
  call PAPIF_add_event(set, code, check)
  call must(check, 'PAPIF_add_event')
  call precisf_field('addr', addr, check)
  call must(check, 'precisf_field')
  call precisf_set_sampling(set, code, watermark, period, no_limit, count_sample, check)
  call must(check, 'precisf_set_sampling')

  allocate(a(elements), b(elements))
  first = [transfer(c_loc(a(1)), first(1)), transfer(c_loc(b(1)), first(1))]
  bytes = 8_8 * elements
  call PAPIF_start(set, check)
  call must(check, 'PAPIF_start')
  do i = 1, elements
    b(i) = i
    a(i) = 2 * b(i)
  end do
  call PAPIF_stop(set, total, check)
  call must(check, 'PAPIF_stop')

  call precisf_get_statistics(set, code, statistics, 2, check)
  call must(check, 'precisf_get_statistics')
  print '(a,i0,a,i0)', 'samples ', statistics(1), ', lost ', statistics(2)
  print '(3(a,i0))', 'a ', samples(1), ', b ', samples(2), ', other ', samples(0)
  if (a(elements) < b(elements)) stop 1
contains
  subroutine must(check, what)
    integer :: check
    character(*) :: what
    if (check /= PAPI_OK) then
      call PAPIF_perror(what)
      stop 1
    end if
  end subroutine
end program
