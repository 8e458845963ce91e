import { z } from 'zod';

const Otlp = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base address of the collector; by default what OTEL_EXPORTER_OTLP_ENDPOINT says.'),
  headers: z.record(z.string().min(1), z.string()).optional().describe('Sent with each request to it.'),
  protocol: z
    .enum(['http/protobuf', 'http/json'])
    .optional()
    .describe('By default what OTEL_EXPORTER_OTLP_PROTOCOL says, else http/protobuf.'),
});

/** How it went, span by span: one section of the config. */
export const TracesSection = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether a file is kept of each run.'),
    calls: z.boolean().default(false).describe('Whether one is kept of calls outside of runs, too.'),
    contents: z
      .boolean()
      .default(false)
      .describe('Whether arguments and results of tools are in the traces, their secrets masked.'),
    keepDays: z.int().min(1).max(36_500).default(30).describe('How long a file is kept after its last line.'),
    maxMegabytes: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(256)
      .describe('Of all files together; the oldest go first.'),
    otlp: Otlp.prefault({}).describe('Where spans and metrics are sent to. Without an address, nowhere.'),
  })
  .prefault({})
  .describe('Traces and metrics: docs/traces.md.');
