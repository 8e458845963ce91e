import type { ModelRequestSeen } from '@nexus/testing';

type Body = Readonly<Record<string, unknown>>;

/** What a host's model was given: the same of every wire format. */
export interface View {
  /** Names on the wire. */
  readonly tools: readonly ToolSeen[];
  readonly results: readonly ResultSeen[];
  /** All of the request: some hosts say what a server says of itself beside its tools. */
  readonly said: string;
}

export interface ToolSeen {
  readonly name: string;
  /** Of OpenAI's Responses, where a server's tools stand in one. */
  readonly namespace?: string;
  readonly raw: string;
}

export interface ResultSeen {
  /** All of it that a model reads as words. */
  readonly text: string;
  /** Pictures that the model sees as such. */
  readonly pictures: number;
}

export function viewOf({ wire, body }: Pick<ModelRequestSeen, 'wire' | 'body'>): View {
  return { tools: TOOLS[wire](body), results: RESULTS[wire](body), said: JSON.stringify(body) };
}

type Wire = ModelRequestSeen['wire'];

const TOOLS: Readonly<Record<Wire, (body: Body) => ToolSeen[]>> = {
  anthropic: ({ tools }) => records(tools).map(toolSeen),
  'openai-chat': ({ tools }) => records(tools).map((tool) => toolSeen(record(tool.function))),
  'openai-responses': ({ tools }) =>
    records(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? records(tool.tools).map((each) => ({ ...toolSeen(each), namespace: String(tool.name) }))
        : [toolSeen(tool)],
    ),
  google: ({ tools }) => records(tools).flatMap((tool) => records(tool.functionDeclarations).map(toolSeen)),
};

const RESULTS: Readonly<Record<Wire, (body: Body) => ResultSeen[]>> = {
  anthropic: ({ messages }) =>
    records(messages)
      .flatMap(({ content }) => records(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => resultSeen(content)),
  'openai-chat': ({ messages }) =>
    records(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => resultSeen(content)),
  'openai-responses': ({ input }) =>
    records(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => resultSeen(output)),
  google: ({ contents }) =>
    records(contents)
      .flatMap(({ parts }) => records(parts))
      .filter((part) => 'functionResponse' in part)
      .map(({ functionResponse }) => {
        const { response, parts } = record(functionResponse);
        return { text: JSON.stringify(response), pictures: records(parts).length };
      }),
};

function resultSeen(content: unknown): ResultSeen {
  if (typeof content === 'string') return { text: content, pictures: 0 };
  const blocks = records(content);
  const isPicture = ({ type }: Body) => type === 'image' || type === 'input_image' || type === 'image_url';
  return {
    text: blocks
      .filter((block) => !isPicture(block))
      .map(({ text }) => (typeof text === 'string' ? text : ''))
      .join('\n'),
    pictures: blocks.filter(isPicture).length,
  };
}

function toolSeen(tool: Body): ToolSeen {
  return { name: String(tool.name), raw: JSON.stringify(tool) };
}

function records(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Body {
  return typeof value === 'object' && value !== null ? (value as Body) : {};
}
