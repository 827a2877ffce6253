/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions, and before each what one execution of it does, counted by hand from Intel's manual, volume 2. None is
 * ever executed.
 */
#ifdef __x86_64__

/* enum code_figure */
	.set	EXACT, 0
	.set	MASKED, 1
	.set	REPEATED, 2
	.set	STATE, 3
	.set	UNDEFINED, 4

/* What the next instruction does: operations, bytes, how far they are known, bits of vectors, elements, packing */
	.macro	expect flops=0 reads=0 writes=0 known=EXACT bytes=EXACT vector=0 elements=0 packing=0
	.pushsection .data.rel.ro.known_rows, "aw", @progbits
	.quad	.Linstruction\@
	.long	\flops, \reads, \writes, \known, \bytes, \vector, \elements, \packing
	.popsection
.Linstruction\@:
	.endm

	.set	SCALAR, 1
	.set	PACKED, 2

	.pushsection .data.rel.ro.known_rows, "aw", @progbits
	.globl	known_rows
	.hidden	known_rows
	.p2align 3
known_rows:
	.popsection

	.text
	.globl	known_instructions
	.hidden	known_instructions
	.type	known_instructions, @function
known_instructions:
	/* one element, SSE and AVX */
	expect	flops=1 reads=8 vector=128 elements=1 packing=SCALAR
	addsd	(%rdi), %xmm0
	expect	flops=1 vector=128 elements=1 packing=SCALAR
	vmulss	%xmm1, %xmm2, %xmm3
	expect	flops=1 reads=4 vector=128 elements=1 packing=SCALAR
	vsqrtss	(%rdi), %xmm2, %xmm3
	expect	flops=1 vector=128 elements=1 packing=SCALAR
	ucomisd	%xmm1, %xmm2
	expect	reads=8 vector=128 elements=1 packing=SCALAR
	movsd	(%rdi), %xmm0
	expect	reads=8 vector=128 elements=1 packing=SCALAR
	movq	(%rdi), %xmm0
	expect	writes=4 vector=128 elements=1 packing=SCALAR
	vmovd	%xmm0, (%rdi)
	expect	reads=4 vector=128 elements=1 packing=SCALAR
	cvtss2sd (%rdi), %xmm0
	expect	vector=128 elements=1 packing=SCALAR
	cvttsd2si %xmm0, %rax
	/* the string instruction has no vector, and no operation: a byte each of two strings */
	expect	reads=8
	cmpsl
	expect	flops=1 vector=128 elements=1 packing=SCALAR
	cmpltsd	%xmm0, %xmm1

	/* packed */
	expect	flops=4 reads=16 vector=128 elements=4 packing=PACKED
	mulps	(%rdi), %xmm0
	expect	flops=2 vector=128 elements=2 packing=PACKED
	divpd	%xmm1, %xmm0
	expect	flops=8 vector=256 elements=8 packing=PACKED
	vaddps	%ymm0, %ymm1, %ymm2
	expect	flops=4 reads=32 vector=256 elements=4 packing=PACKED
	vmaxpd	(%rdi), %ymm1, %ymm2
	expect	flops=16 vector=512 elements=16 packing=PACKED
	vsubps	%zmm0, %zmm1, %zmm2
	expect	flops=4 vector=128 elements=4 packing=PACKED
	haddps	%xmm0, %xmm1
	expect	flops=4 vector=256 elements=4 packing=PACKED
	vaddsubpd %ymm0, %ymm1, %ymm2
	expect	flops=8 vector=256 elements=8 packing=PACKED
	vrsqrtps %ymm0, %ymm1
	expect	flops=8 vector=512 elements=8 packing=PACKED
	vrcp14pd %zmm0, %zmm1
	expect	reads=16 vector=128 elements=4 packing=PACKED
	xorps	(%rdi), %xmm0
	expect	writes=32 vector=256 elements=8 packing=PACKED
	vmovups	%ymm0, (%rdi)

	/* multiply and add: two */
	expect	flops=16 reads=32 vector=256 elements=8 packing=PACKED
	vfmadd231ps (%rdi), %ymm1, %ymm2
	expect	flops=2 vector=128 elements=1 packing=SCALAR
	vfnmsub132sd %xmm0, %xmm1, %xmm2
	expect	flops=16 vector=512 elements=8 packing=PACKED
	vfmaddsub213pd %zmm0, %zmm1, %zmm2

	/* dot products: what is selected is multiplied, all is added */
	expect	flops=7 vector=128 elements=4 packing=PACKED
	dpps	$0xf1, %xmm0, %xmm1
	expect	flops=5 vector=128 elements=4 packing=PACKED
	dpps	$0x31, %xmm0, %xmm1
	expect	flops=14 vector=256 elements=8 packing=PACKED
	vdpps	$0xff, %ymm0, %ymm1, %ymm2
	expect	flops=3 vector=128 elements=2 packing=PACKED
	dppd	$0x31, %xmm0, %xmm1
	expect	flops=64 vector=512 elements=16 packing=PACKED
	vdpbf16ps %zmm0, %zmm1, %zmm2

	/* masks are data: at most so many */
	expect	flops=8 known=MASKED vector=512 elements=8 packing=PACKED
	vaddpd	%zmm0, %zmm1, %zmm2{%k1}
	expect	flops=16 reads=64 known=MASKED bytes=MASKED vector=512 elements=16 packing=PACKED
	vmulps	(%rdi), %zmm1, %zmm2{%k3}{z}
	expect	writes=32 bytes=MASKED vector=256 elements=4 packing=PACKED
	vmovupd	%ymm0, (%rdi){%k2}
	expect	reads=32 bytes=MASKED vector=256 elements=8 packing=PACKED
	vmaskmovps (%rdi), %ymm1, %ymm2

	/* one element for all */
	expect	flops=8 reads=8 vector=512 elements=8 packing=PACKED
	vaddpd	(%rdi){1to8}, %zmm1, %zmm2
	expect	reads=4 vector=256 elements=8 packing=PACKED
	vbroadcastss (%rdi), %ymm0

	/* elements by their indices */
	expect	reads=32 bytes=MASKED vector=256 elements=8 packing=PACKED
	vgatherdps %ymm0, (%rdi,%ymm1,4), %ymm2
	expect	reads=32 bytes=MASKED vector=256 elements=4 packing=PACKED
	vgatherdpd %ymm0, (%rdi,%xmm1,8), %ymm2
	expect	reads=16 bytes=MASKED vector=256 elements=4 packing=PACKED
	vpgatherqd %xmm0, (%rdi,%ymm1,4), %xmm2
	expect	writes=64 bytes=MASKED vector=512 elements=16 packing=PACKED
	vpscatterdd %zmm0, (%rdi,%zmm1,4){%k1}
	expect	reads=64 bytes=MASKED vector=512 elements=8 packing=PACKED
	vgatherqpd (%rdi,%zmm1,8), %zmm2{%k1}

	/* x87 */
	expect	flops=1 reads=8
	faddl	(%rdi)
	expect	flops=1 reads=4
	fidivl	(%rdi)
	expect	flops=1
	fsqrt
	expect	reads=10
	fldt	(%rdi)
	expect	known=UNDEFINED
	fsin
	expect
	fchs

	/* addresses that are not accessed */
	expect
	lea	8(%rdi,%rsi,4), %rax
	expect
	nopw	0(%rax,%rax,1)
	expect
	prefetcht0 (%rdi)
	expect
	clflush	(%rdi)

	/* memory that is read and written */
	expect	reads=8 writes=8
	addq	$1, (%rdi)
	expect	reads=4
	cmpl	$1, (%rdi)
	expect	writes=4
	movl	%eax, (%rdi)
	expect	reads=8 writes=8
	lock cmpxchgq %rcx, (%rdi)
	expect	reads=16 writes=16
	lock cmpxchg16b (%rdi)
	expect	writes=8
	pushq	%rax
	expect	reads=8 writes=8
	pushq	(%rdi)
	expect	reads=8
	popq	%rax
	expect	reads=8
	leave
	expect	writes=8
	call	known_instructions
	expect	reads=8 writes=8
	call	*(%rdi)
	expect	reads=8
	ret
	expect	reads=8
	jmp	*(%rdi)

	/* by iterations, or as the processor's state is */
	expect	reads=8 writes=8 bytes=REPEATED
	rep movsq
	expect	writes=1 bytes=REPEATED
	rep stosb
	expect	reads=8 writes=8
	movsq
	expect	bytes=STATE
	xsavec	(%rdi)
	expect	writes=512
	fxsave	(%rdi)

	/* a vector, and nothing of floating point */
	expect	reads=32 vector=256 elements=8 packing=PACKED
	vpaddd	(%rdi), %ymm0, %ymm1
	expect
	vzeroupper
	.size	known_instructions, . - known_instructions

	.pushsection .data.rel.ro.known_rows, "aw", @progbits
	.globl	known_rows_end
	.hidden	known_rows_end
known_rows_end:
	.popsection
#endif
	.section .note.GNU-stack, "", @progbits
