/** Who a block is for, and how much it matters (MCP 2025-11-25, `Annotations`). */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (optional) to 1 (needed). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** A piece of what a tool answers or a prompt says (MCP 2025-11-25, `ContentBlock`); `data` is base64. */
export type ContentBlock = { readonly annotations?: ContentAnnotations } & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
);

/** A resource's content inside a result or a prompt; `blob` is base64. */
export type EmbeddedResource = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);
