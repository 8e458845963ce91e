import type { Span, TraceRecord } from '@nexus/plugin-sdk';

/** Every name that spans and metrics have, from one version of the conventions; what Nexus adds begins with `nexus.`. */
export const CONVENTIONS = 'open-telemetry/semantic-conventions-genai v0.1.0';

/** The kinds of span that are made, with the attributes of the conventions that each may have. */
export const spanTypes = {
  /** A client's request, as this server answers it. */
  'mcp.server': {
    kind: 'server',
    required: ['mcp.method.name', 'jsonrpc.request.id'],
    optional: [
      // Of a request for a tool that exists.
      'gen_ai.tool.name',
      'gen_ai.operation.name',
      'mcp.session.id',
      'mcp.protocol.version',
      'gen_ai.tool.type',
      'network.transport',
      'network.protocol.name',
      'error.type',
      'rpc.response.status_code',
      'gen_ai.tool.call.arguments',
      'gen_ai.tool.call.result',
    ],
  },
  /** A request of Nexus to a server behind it. */
  'mcp.client': {
    kind: 'client',
    required: ['mcp.method.name', 'gen_ai.tool.name', 'gen_ai.operation.name'],
    optional: [
      // Where the request left.
      'jsonrpc.request.id',
      'mcp.protocol.version',
      'network.transport',
      'network.protocol.name',
      'server.address',
      'server.port',
      'error.type',
      'rpc.response.status_code',
    ],
  },
  /** A call of a model, all its attempts included. */
  'gen_ai.client.inference': {
    kind: 'client',
    required: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'],
    optional: [
      'gen_ai.request.max_tokens',
      'gen_ai.request.temperature',
      'gen_ai.output.type',
      'gen_ai.response.finish_reasons',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.cache_read.input_tokens',
      'error.type',
      'gen_ai.system_instructions',
      'gen_ai.input.messages',
      'gen_ai.output.messages',
    ],
  },
  /** A tool that a run or another tool calls. */
  'gen_ai.execute_tool.internal': {
    kind: 'internal',
    required: ['gen_ai.operation.name', 'gen_ai.tool.name'],
    optional: ['gen_ai.tool.type', 'gen_ai.tool.call.arguments', 'gen_ai.tool.call.result', 'error.type'],
  },
  'gen_ai.invoke_agent.internal': {
    kind: 'internal',
    required: ['gen_ai.operation.name', 'gen_ai.agent.name'],
    optional: ['error.type'],
  },
  'gen_ai.invoke_workflow.internal': {
    kind: 'internal',
    required: ['gen_ai.operation.name', 'gen_ai.workflow.name'],
    optional: ['error.type'],
  },
  /** A step of a run, or a job: the conventions have none for these. */
  internal: { kind: 'internal', required: [], optional: ['error.type'] },
} as const satisfies Record<string, SpanShape>;

interface SpanShape {
  readonly kind: Span['kind'];
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

export type SpanType = keyof typeof spanTypes;

export function typeOf({ kind, attributes }: Pick<Span, 'kind' | 'attributes'>): SpanType {
  if (kind === 'server') return 'mcp.server';
  if (kind === 'client') {
    return attributes['mcp.method.name'] === undefined ? 'gen_ai.client.inference' : 'mcp.client';
  }
  const operation = attributes['gen_ai.operation.name'];
  if (operation === 'execute_tool') return 'gen_ai.execute_tool.internal';
  if (operation === 'invoke_agent') return 'gen_ai.invoke_agent.internal';
  return operation === 'invoke_workflow' ? 'gen_ai.invoke_workflow.internal' : 'internal';
}

const EVENT_TYPES = {
  'mcp.server': 'call',
  'mcp.client': 'server',
  'gen_ai.client.inference': 'model',
  'gen_ai.execute_tool.internal': 'call',
  'gen_ai.invoke_agent.internal': 'run',
  'gen_ai.invoke_workflow.internal': 'run',
} as const satisfies Partial<Record<SpanType, TraceRecord['type']>>;

/** What a span is of, in the words of Nexus. */
export function eventTypeOf(span: Pick<Span, 'kind' | 'attributes'>): TraceRecord['type'] {
  const type = typeOf(span);
  if (type !== 'internal') return EVENT_TYPES[type];
  const stepKind = span.attributes['nexus.step.kind'];
  if (stepKind === undefined) return 'run'; // a job
  return stepKind === 'step' ? 'step' : 'wait';
}

/** One figure that spans of a type make. */
export interface Metric {
  readonly name: string;
  readonly of: SpanType;
  readonly instrument: 'histogram' | 'counter';
  readonly unit: 's' | '{token}';
  readonly help: string;
  /** Of the span; all others are left out, so that there are not too many series. */
  readonly attributes: readonly string[];
  /** Attributes that each has. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The attribute that it counts; by default it is the span's duration. */
  readonly counts?: string;
}

const MCP = [
  'mcp.method.name',
  'gen_ai.tool.name',
  'gen_ai.operation.name',
  'mcp.protocol.version',
  'network.transport',
  'network.protocol.name',
  'error.type',
  'rpc.response.status_code',
];
const INFERENCE = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'];
/** The kinds of content are not told apart by most providers. */
const ANY_MODALITY = { 'gen_ai.token.modality': 'unknown' };

export const metrics: readonly Metric[] = [
  {
    name: 'mcp.server.operation.duration',
    of: 'mcp.server',
    instrument: 'histogram',
    unit: 's',
    help: 'How long requests of clients took.',
    attributes: MCP,
  },
  {
    name: 'mcp.client.operation.duration',
    of: 'mcp.client',
    instrument: 'histogram',
    unit: 's',
    help: 'How long requests to other servers took.',
    attributes: [...MCP, 'server.address', 'server.port'],
  },
  {
    name: 'gen_ai.client.inference.duration',
    of: 'gen_ai.client.inference',
    instrument: 'histogram',
    unit: 's',
    help: 'How long calls of models took.',
    attributes: [...INFERENCE, 'error.type'],
  },
  ...tokenMetrics('usage', 'counter', ANY_MODALITY),
  ...tokenMetrics('operation', 'histogram'),
  {
    name: 'gen_ai.execute_tool.duration',
    of: 'gen_ai.execute_tool.internal',
    instrument: 'histogram',
    unit: 's',
    help: 'How long tools took that runs and other tools called.',
    attributes: ['gen_ai.tool.name', 'gen_ai.tool.type', 'error.type'],
  },
  {
    name: 'gen_ai.invoke_agent.duration',
    of: 'gen_ai.invoke_agent.internal',
    instrument: 'histogram',
    unit: 's',
    help: 'How long runs of one agent took, what they waited for included.',
    attributes: ['gen_ai.agent.name', 'error.type'],
  },
  {
    name: 'gen_ai.invoke_workflow.duration',
    of: 'gen_ai.invoke_workflow.internal',
    instrument: 'histogram',
    unit: 's',
    help: 'How long all other runs took, what they waited for included.',
    attributes: ['gen_ai.workflow.name', 'error.type'],
  },
];

function tokenMetrics(
  group: 'usage' | 'operation',
  instrument: Metric['instrument'],
  fixed?: Metric['fixed'],
): Metric[] {
  const of = group === 'usage' ? 'in all' : 'a call';
  const each: Pick<Metric, 'name' | 'help' | 'counts'>[] = [
    {
      name: 'input_tokens',
      help: `Tokens that models read, ${of}.`,
      counts: 'gen_ai.usage.input_tokens',
    },
    {
      name: 'output_tokens',
      help: `Tokens that models wrote, ${of}.`,
      counts: 'gen_ai.usage.output_tokens',
    },
    {
      name: 'cache_read.input_tokens',
      help: 'Those of them that were read from a cache.',
      counts: 'gen_ai.usage.cache_read.input_tokens',
    },
  ];
  return each
    .filter(({ name }) => group === 'usage' || !name.startsWith('cache'))
    .map(({ name, ...rest }) => ({
      ...rest,
      name: `gen_ai.client.inference.${group}.${name}`,
      of: 'gen_ai.client.inference' as const,
      instrument,
      unit: '{token}' as const,
      attributes: INFERENCE,
      ...(fixed ? { fixed } : {}),
    }));
}

export interface Measurement {
  readonly metric: Metric;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a span adds to the metrics: there is no other way to them. */
export function measurementsOf(span: Span): Measurement[] {
  const type = typeOf(span);
  return metrics.flatMap((metric) => {
    if (metric.of !== type) return [];
    const value =
      metric.counts === undefined ? (span.endMs - span.startMs) / 1_000 : span.attributes[metric.counts];
    if (typeof value !== 'number') return [];
    const chosen = metric.attributes.flatMap((name) => {
      const of = span.attributes[name];
      return of === undefined ? [] : [[name, String(of)] as const];
    });
    return [{ metric, value, attributes: { ...Object.fromEntries(chosen), ...metric.fixed } }];
  });
}
