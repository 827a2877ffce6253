# SPDX-License-Identifier: BSD-3-Clause
# For Debian's perl: counts words, and is traced while it does so a second time, when its pages are there.
#
#     perl words.pl NUMBER    of words
#
# Without modules, which the guest does not have.

my $text = join ' ', map { 'word' . $_ * 7919 % 61 } 1 .. $ARGV[0];

sub count {
	my (%count, @long);
	for my $word (split / /, $text) {
		$count{$word}++;
		push @long, [length $word, $word];
	}
	my @sorted = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
	my $letters = 0;
	$letters += $_->[0] for @long;
	return join ' ', $letters, scalar @sorted, @sorted[0 .. 2];
}

count();
open my $trace, '>', '/proc/precis_model/trace' or die "no /proc/precis_model/trace: $!\n";
syswrite $trace, '1';
my $found = count();
syswrite $trace, '0';
print "$found\n";
