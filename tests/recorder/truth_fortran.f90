! SPDX-License-Identifier: BSD-3-Clause
! What a program in Fortran says of its objects.
program truth
  use, intrinsic :: iso_c_binding
  use precis_objects
  implicit none
  type(c_ptr) :: start

  if (.not. precis_objects_recorded()) print *, "not recorded"
  start = transfer(74565_c_intptr_t, start)
  call precis_objects_phase("fortran")
  call precis_objects_name(start, 77_c_size_t, "a name  ", "type(node)")
  call precis_objects_name_array(start, 5_c_size_t, 40_c_size_t, "", "real")
  call precis_objects_tag(start, "level=2")
  call precis_objects_forget(start)
end program
