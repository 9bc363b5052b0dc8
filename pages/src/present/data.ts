// What the Python side embeds: the document of `fencepost present --format json`.

export interface PageData {
  page: string;
  title: string;
  tool: string;
  document: Document;
}

export interface Document {
  source: { kind: "capture" | "simulation"; file: string; form: string; words: string[] };
  chains: Chain[];
  notes: string[];
}

export interface Spread {
  count: number;
  mean: number;
  least: number;
  p50: number;
  p95: number;
  p99: number;
  p99_9: number;
  most: number;
  bins: { start: number; end: number; count: number }[];
}

export interface Range {
  least: number;
  mean: number;
  most: number;
}

export interface Bucket {
  start: number;
  frames: number;
  frame_time: Range;
  in_present: Range | null;
  gpu_busy: Range | null;
  until_shown: Range | null;
  never_shown: number;
}

export interface DisplayBucket {
  start: number;
  intervals: number;
  length: Range;
}

export interface Cause {
  id: string;
  verdict: string;
  meaning: string;
  advice: string[];
  source: string;
}

export interface Stretch {
  start: number;
  end: number;
  state: string;
  present: number;
}

export interface Strip {
  start: number;
  end: number;
  vsyncs: number[];
  rows: { name: string; stretches: Stretch[] }[];
}

export interface Outcome {
  name: string;
  words: string[];
  settings: string[];
  frames: number;
  rate: number;
  low: number;
  display_times: Spread | null;
  latency: Spread | null;
  blocked: number;
  gpu_wait: number;
  start_wait: number;
  late: number;
  tears: number;
  verdict: string;
  cause: string;
  same: boolean;
  strip: Strip | null;
}

export interface Errors {
  replay: { median: number; mean: number };
  repeated: { median: number; mean: number };
  constant: { median: number; mean: number };
}

export interface Segment {
  start: number;
  end: number;
  verdict: string;
  cause: string;
}

export interface Chain {
  label: string;
  frames: number;
  generated: number;
  never_shown: number | null;
  modes: { name: string; frames: number }[];
  verdict: string;
  share: number;
  cause: Cause;
  presents_cause: Cause | null;
  reasons: { name: string; says: string; limit: string }[];
  evidence: { start: number; end: number; refresh: number | null };
  shares: { verdict: string; share: number }[];
  segments: Segment[];
  rates: { name: string; used_by: string; meaning: string; fps: number | null }[];
  shown_rate: number | null;
  frame_times: Spread | null;
  display_times: Spread | null;
  until_shown: Spread | null;
  stutters: number;
  late: number | null;
  series: Bucket[];
  displays: DisplayBucket[];
  replay: {
    settings: string[];
    chosen: string[];
    judged: number;
    displayed: Errors;
    latency: Errors;
    latency_better: boolean;
    refused: string | null;
  } | null;
  not_replayed: string | null;
  own: Outcome | null;
  what_ifs: Outcome[];
  notes: string[];
}
