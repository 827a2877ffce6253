/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of which floating-point operations and bytes follow from their arguments by arithmetic, so no
 * compiler may choose their instructions. Called by tests/mix/kernels.c.
 *
 * Each: double or float arrays at rsi and rdx, a count at rdi, a factor in xmm0.
 */
	.text

	.macro	function name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.endm

	.macro	end_of name
	.size	\name, . - \name
	.endm

/* y[n] += a x[n]: 2 operations, 16 bytes read, 8 written for each; 8 read by the return */
	function daxpy_scalar
	xor	%eax, %eax
1:	movsd	(%rsi,%rax,8), %xmm1
	mulsd	%xmm0, %xmm1
	addsd	(%rdx,%rax,8), %xmm1
	movsd	%xmm1, (%rdx,%rax,8)
	inc	%rax
	cmp	%rdi, %rax
	jne	1b
	ret
	end_of daxpy_scalar

/* The same, two at once */
	function daxpy_sse
	xor	%eax, %eax
	unpcklpd %xmm0, %xmm0
1:	movupd	(%rsi,%rax,8), %xmm1
	mulpd	%xmm0, %xmm1
	movupd	(%rdx,%rax,8), %xmm2
	addpd	%xmm2, %xmm1
	movupd	%xmm1, (%rdx,%rax,8)
	add	$2, %rax
	cmp	%rdi, %rax
	jne	1b
	ret
	end_of daxpy_sse

/* The same, four at once and fused */
	function daxpy_avx
	xor	%eax, %eax
	vbroadcastsd %xmm0, %ymm0
1:	vmovupd	(%rsi,%rax,8), %ymm1
	vfmadd213pd (%rdx,%rax,8), %ymm0, %ymm1
	vmovupd	%ymm1, (%rdx,%rax,8)
	add	$4, %rax
	cmp	%rdi, %rax
	jne	1b
	vzeroupper
	ret
	end_of daxpy_avx

/*
 * C += A B of single-precision matrices of rdi x rdi, C at rcx, a row of C and of B at once: for each element of
 * A 4 bytes read; for each product 2 operations, 8 bytes read, 4 written
 */
	function product
	mov	%rdi, %r8
1:	mov	%rdx, %r9	/* a row of B */
	mov	%rdi, %r10
2:	vbroadcastss (%rsi), %ymm0
	add	$4, %rsi
	xor	%eax, %eax
3:	vmovups	(%r9,%rax,4), %ymm1
	vfmadd213ps (%rcx,%rax,4), %ymm0, %ymm1
	vmovups	%ymm1, (%rcx,%rax,4)
	add	$8, %rax
	cmp	%rdi, %rax
	jne	3b
	lea	(%r9,%rdi,4), %r9
	dec	%r10
	jnz	2b
	lea	(%rcx,%rdi,4), %rcx
	dec	%r8
	jnz	1b
	vzeroupper
	ret
	end_of product

/* y[n] = x[n]: no operation, 8 bytes read, 8 written */
	function copy
	xor	%eax, %eax
1:	vmovdqu	(%rsi,%rax,8), %ymm1
	vmovdqu	%ymm1, (%rdx,%rax,8)
	add	$4, %rax
	cmp	%rdi, %rax
	jne	1b
	vzeroupper
	ret
	end_of copy

/* The sum of x[index[n]], indices of 32 bits at rdx: an operation, 8 bytes by the gather and 4 for the index */
	function gather
	xor	%eax, %eax
	vxorpd	%ymm0, %ymm0, %ymm0
1:	vmovdqu	(%rdx,%rax,4), %xmm1
	vpcmpeqd %ymm2, %ymm2, %ymm2
	vgatherdpd %ymm2, (%rsi,%xmm1,8), %ymm3
	vaddpd	%ymm3, %ymm0, %ymm0
	add	$4, %rax
	cmp	%rdi, %rax
	jne	1b
	vzeroupper
	ret
	end_of gather

/* y[n] = x[n] again, by an instruction whose repetitions nobody sees: its bytes are not known */
	function copy_repeated
	mov	%rdi, %rcx
	mov	%rdx, %rdi
	rep movsq
	ret
	end_of copy_repeated

	.section .note.GNU-stack, "", @progbits
