"""Metrics in the text format of Prometheus, as `/metrics` answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from prometheus_client import generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from . import metrics


def encode_metrics(readings: Mapping[str, metrics.Value], is_private: bool = False) -> bytes:
    """Encode all metrics; those that are private only if `is_private`."""
    values = {**metrics.read_process(), **readings}
    shown = [reading for reading in metrics.READINGS if is_private or not reading.is_private]
    return encode_families(
        [
            *(_collect_reading(reading, values[reading.name]) for reading in shown),
            *map(collect_counter, metrics.COUNTERS),
            *map(collect_histogram, metrics.HISTOGRAMS),
        ]
    )


def encode_families(families: Sequence[Metric]) -> bytes:
    """Encode metrics with their values."""
    return generate_latest(_Families(families))


class _Families(Collector):
    def __init__(self, families: Sequence[Metric]) -> None:
        self.families = families

    def collect(self) -> Sequence[Metric]:
        return self.families


def _collect_reading(reading: metrics.Reading, value: metrics.Value) -> Metric:
    kind = CounterMetricFamily if reading.is_counter else GaugeMetricFamily
    family = kind(reading.name, reading.help, labels=reading.labels)
    for labels, number in (value if isinstance(value, Mapping) else {(): value}).items():
        family.add_metric((labels,) if isinstance(labels, str) else labels, number)
    return family


def collect_counter(counter: metrics.Counter) -> Metric:
    """Return the present values of a counter."""
    family = CounterMetricFamily(counter.name, counter.help, labels=counter.labels)
    for labels, value in counter.values.items():
        family.add_metric(labels, value)
    return family


def collect_histogram(histogram: metrics.Histogram) -> Metric:
    """Return the present counts of a histogram; each bucket contains the smaller ones."""
    family = HistogramMetricFamily(histogram.name, histogram.help, labels=histogram.labels)
    bounds = [*(f"{bound:g}" for bound in histogram.bounds), "+Inf"]
    for labels, series in histogram.series.items():
        counts = map(float, accumulate(series.counts))
        family.add_metric(labels, list(zip(bounds, counts, strict=True)), series.sum)
    return family
