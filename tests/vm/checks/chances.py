# SPDX-License-Identifier: BSD-3-Clause
"""
How probable it is that samples differ so much, or more, from what they were taken from: two-sided,
for shares, means and percentiles. What is sampled is taken as drawn independently. Samples that are
taken one after the other with a period whose low bits are random differ less than those, so that a
true estimator fails less often than these numbers say.
"""

import math
import statistics

ALARM = 1e-4
SHARES, SUMS = 2, 3 # that are alike in are_held()


def _log_binomial(n, k, p):
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) +
            k * math.log(p) + (n - k) * math.log1p(-p))


def at_most(k, n, p):
    """P(X <= k) of a binomial distribution"""
    if k >= n or p <= 0:
        return 1.0 if k >= 0 else 0.0
    if k < 0 or p >= 1:
        return 0.0
    term = total = 0.0
    # downwards from k: the terms become smaller on the side of the tail
    if k <= n * p:
        term = math.exp(_log_binomial(n, k, p))
        for i in range(k, -1, -1):
            total += term
            term *= i * (1 - p) / ((n - i + 1) * p)
            if term < total * 1e-12:
                break
        return total
    return 1.0 - at_most(n - k - 1, n, 1 - p)


def of_share(k, n, p):
    """k of n samples have what the share p of all has"""
    return min(1.0, 2 * min(at_most(k, n, p), at_most(n - k, n, 1 - p)))


def are_held(held, every, share=0.95, judged=1, alike=1):
    """
    Whether 'held' of 'every' interval hold the truth as such would that do so with the chance 'share': by
    chance fewer of those do in ALARM of all cases.

    judged  so many such numbers are judged together
    alike   Intervals of the same samples miss together, and so many of them count as one: how many miss varies
            by that many times the binomial variance at the most. Of shares of a whole the squares of the
            correlations of one with all others add up to 1, which makes it 2 (two that are all of it miss
            together); of parts and sums of them, as a matrix with its rows, columns and all, it is below 3.
    """
    counted, missed = every // alike, (every - held) // alike
    return at_most(counted - missed, counted, share) > ALARM / judged


def reach(low, high, k, n):
    """
    How many standard errors an interval of the share k of n goes to each side, by the binomial law and not by the
    formula that made it: as many as the tails of k, if the share were its low end or its high end, are of the
    normal law. Of 95% it is 1.96; more where the next k is far away, and where samples depend on each other.
    None: an end is no end, but 0 or 1
    """
    if not 0 < low < high < 1:
        return None
    tails = (1 - at_most(k - 1, n, low), at_most(k, n, high))
    return sum(statistics.NormalDist().inv_cdf(1 - max(tail, 1e-15)) for tail in tails) / 2


def moments(distribution):
    """Mean and deviation of {value: how often}"""
    n = sum(distribution.values())
    mean = sum(value * times for value, times in distribution.items()) / n
    square = sum((value - mean) ** 2 * times for value, times in distribution.items()) / n
    return mean, math.sqrt(square)


def of_mean(found, n, distribution):
    """The mean of n samples of the distribution; of few the normal law is not used"""
    mean, deviation = moments(distribution)
    if deviation == 0:
        return 1.0 if found == mean else 0.0
    if n < 30:
        return 1.0
    return math.erfc(abs(found - mean) / deviation * math.sqrt(n / 2))


def of_percentile(found, n, rank, distribution):
    """The rank-th smallest of n samples (from 1) is 'found'. A value that there is not: 0"""
    if found not in distribution:
        return 0.0
    whole = sum(distribution.values())
    below = sum(times for value, times in distribution.items() if value < found) / whole
    up_to = below + distribution[found] / whole
    # at most rank - 1 are smaller, and at least rank are not larger
    smaller = at_most(rank - 1, n, below)
    not_larger = 1 - at_most(rank - 1, n, up_to)
    return min(1.0, 2 * min(smaller, not_larger))
