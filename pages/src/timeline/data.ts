// What the Python side embeds in a page (docs/pages.md): keep both alike.

export interface PageData {
  page: string;
  title: string;
  tool: string;
  unit: number;
  window: number;
  tracks: TrackData[];
  activities: ActivityData[];
  spans: string;
  flows: string;
  flow_names: string[];
  figures: FiguresData | null;
  notes: string[];
  simulation: SimulationData | null;
}

export interface TrackData {
  group: string;
  name: string;
  spans: number;
}

export interface ActivityData {
  name: string;
  category: string;
  resources: string[];
  notes: [string, string][];
  waits: boolean;
}

/** The document of `fencepost timeline --format json`. */
export interface FiguresData {
  tool: { name: string; version: string };
  file: string;
  window: { start: number; end: number; length: number };
  busy: number;
  overlapped: number;
  idle: number;
  tracks: TrackFigures[];
  pairs: { first: number; second: number; together: number }[];
  longest_bubbles: Bubble[];
  flows: { count: number; backward: number };
  notes: string[];
}

export interface TrackFigures {
  group: string;
  name: string;
  spans: number;
  busy: number;
  alone: number;
  before: number;
  bubbles: number;
  others_run: number;
  all_idle: number;
  after: number;
  gaps: number;
}

export interface SpanFigure {
  track: string;
  name: string;
  start: number;
  end: number;
}

export interface Bubble {
  track: number;
  start: number;
  end: number;
  length: number;
  others_run: number;
  before: SpanFigure;
  after: SpanFigure;
  waits_for: { span: SpanFigure; at: number; name: string } | null;
  last_end: SpanFigure | null;
}

export interface StallData {
  span: number;
  reason: string;
  cause: number;
  exposed: number;
}

/** What a simulation knows beyond its spans. */
export interface SimulationData {
  span_commands: string;
  facts: [string, string][];
  commands: { queue: string; text: string; place: string }[];
  reasons: Record<string, string>;
  stalls: StallData[];
  costs: { command: number; stalled: number; exposed: number }[];
  path: { command: number; what: string; start: number; end: number }[];
  hazards: HazardData[];
  time: number;
  working: number;
  idle: number;
  exposed: number;
  by_reason: [string, number][];
  by_unit: [string, number][];
  by_engine: [string, number][];
}

/** A hazard of the stream, and whether it happens in this run; `earlier` is -1 where none is. */
export interface HazardData {
  command: number;
  earlier: number;
  rule: string;
  text: string;
  how: string;
  observed: boolean;
}
