export {
  CONVENTIONS,
  type Metric,
  measurementsOf,
  metrics,
  type SpanType,
  spanTypes,
  typeOf,
} from './conventions.ts';
export { SpanHub, type SpanSink } from './create-spans.ts';
export { readTraceOf, type TraceFiles, traceFiles } from './trace-files.ts';
