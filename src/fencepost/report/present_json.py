"""The analysis of presents as JSON (docs/json-present.md)."""

from __future__ import annotations

from collections import Counter
from typing import Literal, cast

import msgspec

from fencepost._version import __version__
from fencepost.present.analysis import Analysed, Analysis, Played
from fencepost.present.capture_replay import CaptureReplay, Error, Errors
from fencepost.present.captures.table import MISSING, PRESENT_MODES
from fencepost.present.causes import Cause, Verdict
from fencepost.present.diagnosis import Diagnosis, Segment
from fencepost.present.evidence import Evidence
from fencepost.present.outcome import low_of
from fencepost.present.rates import DEFINITIONS
from fencepost.present.reasons import reasons
from fencepost.present.series import Bucket, Range, buckets, display_buckets
from fencepost.present.spelling import spelled
from fencepost.present.spread import Spread
from fencepost.present.strips import Strip
from fencepost.report import present_document as document
from fencepost.report.document import Tool

BINS = 40
"""Bins of equal width up to the 99th percentile, and one for the rest."""

_State = Literal["work", "present", "wait", "available", "pending", "visible", "frame"]
_Source = Literal["busy", "ends", "none"]


def write_present_json(analysis: Analysis) -> bytes:
    """The report as UTF-8 JSON, indented, with a newline at its end."""
    made = to_document(analysis)
    return msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n"


def to_document(analysis: Analysis) -> document.Document:
    """The report as the records that `present.schema.json` describes."""
    return document.Document(
        format="fencepost.presentation",
        version=1,
        tool=Tool(name="fencepost", version=__version__),
        source=document.Source(
            kind="simulation" if analysis.simulated else "capture",
            file=analysis.file,
            form=analysis.form,
            words=list(analysis.words),
        ),
        chains=[_chain(item) for item in analysis.chains],
        notes=list(analysis.notes),
    )


def _chain(item: Analysed) -> document.Chain:
    found, observed = item.diagnosis, item.diagnosis.observed
    until = observed.until_shown
    return document.Chain(
        label=item.label,
        application="" if item.chain is None else item.chain.application,
        runtime="" if item.chain is None else item.chain.runtime,
        frames=len(observed),
        generated=observed.generated,
        never_shown=None if until is None else until.count(MISSING),
        modes=_modes(item),
        verdict=_verdict(found.cause.verdict),
        share=found.share,
        cause=_cause(found.cause),
        presents_cause=None if found.presents is None else _cause(found.presents),
        reasons=[document.Reason(*reason) for reason in reasons(found.evidence)],
        evidence=_evidence(found.evidence),
        shares=[document.Share(_verdict(key), share) for key, share in found.shares.items()],
        segments=[_segment(row, found) for row in found.segments],
        rates=_rates(found.frame_times),
        shown_rate=found.shown_rate,
        frame_times=_spread(found.frame_times),
        display_times=_spread(found.display_times),
        until_shown=_spread(found.until_shown),
        stutters=found.stutters,
        late=found.late,
        series=[_bucket(bucket) for bucket in buckets(observed)],
        displays=[
            document.DisplayBucket(row.start, row.intervals, document.Range(*row.length))
            for row in display_buckets(observed)
        ],
        replay=None if item.replay is None else _replay(item.replay, found),
        not_replayed=item.not_replayed or None,
        own=None if item.own is None else _outcome(item.own),
        what_ifs=[_outcome(played) for played in item.what_ifs],
        tried=[document.Tried(it.advice, _outcome(it.played)) for it in item.tried],
        notes=list(item.notes),
    )


def _modes(item: Analysed) -> list[document.Mode]:
    if item.chain is None:
        return []
    modes = Counter(item.chain.frames.mode)
    return [
        document.Mode("not recorded" if mode == MISSING else PRESENT_MODES[mode], count)
        for mode, count in sorted(modes.items(), key=lambda row: (-row[1], row[0]))
    ]


def _verdict(verdict: Verdict) -> document.Verdict:
    return verdict.value


def _cause(cause: Cause) -> document.Cause:
    return document.Cause(
        id=cause.id,
        verdict=_verdict(cause.verdict),
        meaning=cause.meaning,
        advice=list(cause.advice),
        source=cause.source,
    )


def _evidence(evidence: Evidence) -> document.Evidence:
    fields = document.Evidence.__struct_fields__
    return msgspec.convert({name: getattr(evidence, name) for name in fields}, document.Evidence)


def _segment(row: Segment, found: Diagnosis) -> document.Segment:
    return document.Segment(
        start=row.start,
        end=row.end,
        verdict=_verdict(row.cause.verdict),
        cause=row.cause.id,
        evidence=_evidence(found.evidence_of(row)),
    )


def _rates(frame_times: Spread) -> list[document.FrameRate]:
    if not frame_times.count:
        return []
    return [
        document.FrameRate(row.key, row.name, row.used_by, row.meaning, row.rate(frame_times))
        for row in DEFINITIONS
    ]


def _spread(spread: Spread) -> document.Spread | None:
    if not spread.count:
        return None
    return document.Spread(
        count=spread.count,
        mean=spread.mean,
        least=spread.values[0],
        p50=spread.percentile(50),
        p95=spread.percentile(95),
        p99=spread.percentile(99),
        p99_9=spread.percentile(99.9),
        most=spread.values[-1],
        bins=[document.Bin(*row) for row in spread.bins(BINS)],
    )


def _bucket(bucket: Bucket) -> document.Bucket:
    return document.Bucket(
        start=bucket.start,
        frames=bucket.frames,
        frame_time=document.Range(*bucket.frame_time),
        in_present=_range(bucket.in_present),
        gpu_busy=_range(bucket.gpu_busy),
        until_shown=_range(bucket.until_shown),
        never_shown=bucket.never_shown,
    )


def _range(found: Range | None) -> document.Range | None:
    return None if found is None else document.Range(*found)


def _replay(again: CaptureReplay, found: Diagnosis) -> document.CaptureReplay:
    return document.CaptureReplay(
        settings=spelled(again.replay.settings),
        chosen=list(again.chosen),
        judged=again.judged,
        gpu_times=cast("_Source", again.gpu_times),
        measured=document.Measured(
            rate=found.shown_rate,
            low=low_of(found.display_times),
            latency=_spread(again.measured),
            blocked=found.evidence.blocked_a_frame,
            late=found.late,
        ),
        displayed=_errors(again.displayed),
        latency=_errors(again.latency),
        wake=again.wake,
        latency_better=again.latency.better,
        tested=again.displayed.tested,
        refused=again.refusal or None,
    )


def _errors(errors: Errors) -> document.Errors:
    return document.Errors(*map(_error, (errors.replay, errors.repeated, errors.constant)))


def _error(error: Error) -> document.Error:
    return document.Error(error.median, error.mean)


def _outcome(played: Played) -> document.Outcome:
    outcome = played.outcome
    return document.Outcome(
        name=played.name,
        words=list(played.words),
        settings=spelled(played.settings),
        frames=outcome.frames,
        rate=outcome.rate,
        low=outcome.low,
        display_times=_spread(outcome.display_times),
        latency=_spread(outcome.latency),
        blocked=outcome.blocked,
        gpu_wait=outcome.gpu_wait,
        start_wait=outcome.start_wait,
        late=outcome.late,
        tears=outcome.tears,
        verdict=_verdict(outcome.cause.verdict),
        cause=outcome.cause.id,
        same=played.same,
        strip=None if played.strip is None else _strip(played.strip),
    )


def _strip(strip: Strip) -> document.Strip:
    return document.Strip(
        start=strip.start,
        end=strip.end,
        vsyncs=list(strip.vsyncs),
        rows=[
            document.StripRow(
                row.name,
                [
                    document.Stretch(it.start, it.end, cast("_State", it.state), it.present)
                    for it in row.stretches
                ],
            )
            for row in strip.rows
        ],
    )
