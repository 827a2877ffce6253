! SPDX-License-Identifier: BSD-3-Clause
! <precis/objects.h> for Fortran: to be compiled with the program. Where the recorder is not loaded, each call
! does nothing but to look for it.
module precis_objects
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: precis_objects_name, precis_objects_name_array, precis_objects_tag, precis_objects_forget, &
    precis_objects_phase, precis_objects_recorded

  abstract interface
    subroutine name_function(start, bytes, name, kind) bind(c)
      import
      type(c_ptr), value :: start
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*), kind(*)
    end subroutine
    subroutine array_function(start, count, stride, name, kind) bind(c)
      import
      type(c_ptr), value :: start
      integer(c_size_t), value :: count, stride
      character(kind=c_char), intent(in) :: name(*), kind(*)
    end subroutine
    subroutine tag_function(start, tag) bind(c)
      import
      type(c_ptr), value :: start
      character(kind=c_char), intent(in) :: tag(*)
    end subroutine
    subroutine forget_function(start) bind(c)
      import
      type(c_ptr), value :: start
    end subroutine
    subroutine phase_function(name) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
  end interface

  interface
    function dlsym(handle, symbol) bind(c, name="dlsym") result(found)
      import
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_funptr) :: found
    end function
  end interface

contains

  ! The function of that name, in whatever has been loaded (RTLD_DEFAULT is 0)
  function recorder(name) result(found)
    character(len=*), intent(in) :: name
    type(c_funptr) :: found

    found = dlsym(c_null_ptr, "precis_objects_1_" // name // c_null_char)
  end function

  logical function precis_objects_recorded()
    precis_objects_recorded = c_associated(recorder("phase"))
  end function

  subroutine precis_objects_name(start, bytes, name, kind)
    type(c_ptr), intent(in) :: start
    integer(c_size_t), intent(in) :: bytes
    character(len=*), intent(in) :: name, kind
    procedure(name_function), pointer :: call_it
    type(c_funptr) :: found

    found = recorder("name")
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_it)
    call call_it(start, bytes, trim(name) // c_null_char, trim(kind) // c_null_char)
  end subroutine

  subroutine precis_objects_name_array(start, count, stride, name, kind)
    type(c_ptr), intent(in) :: start
    integer(c_size_t), intent(in) :: count, stride
    character(len=*), intent(in) :: name, kind
    procedure(array_function), pointer :: call_it
    type(c_funptr) :: found

    found = recorder("name_array")
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_it)
    call call_it(start, count, stride, trim(name) // c_null_char, trim(kind) // c_null_char)
  end subroutine

  subroutine precis_objects_tag(start, tag)
    type(c_ptr), intent(in) :: start
    character(len=*), intent(in) :: tag
    procedure(tag_function), pointer :: call_it
    type(c_funptr) :: found

    found = recorder("tag")
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_it)
    call call_it(start, trim(tag) // c_null_char)
  end subroutine

  subroutine precis_objects_forget(start)
    type(c_ptr), intent(in) :: start
    procedure(forget_function), pointer :: call_it
    type(c_funptr) :: found

    found = recorder("forget")
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_it)
    call call_it(start)
  end subroutine

  subroutine precis_objects_phase(name)
    character(len=*), intent(in) :: name
    procedure(phase_function), pointer :: call_it
    type(c_funptr) :: found

    found = recorder("phase")
    if (.not. c_associated(found)) return
    call c_f_procpointer(found, call_it)
    call call_it(trim(name) // c_null_char)
  end subroutine
end module
