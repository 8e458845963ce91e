import type { JsonRpcMessage } from '@nexus/core';
import { isRecord } from '@nexus/core/json-type';

/**
 * A call that runs again reports its progress from the start, and MCP wants each report to be higher than
 * the one before: what the next owner reports is added to what the host has seen.
 */
export interface ProgressOffsets {
  /** The report as the host may see it. */
  toHost(report: JsonRpcMessage): JsonRpcMessage;
  /** The request is answered, so its token is free. */
  answered(asked: { readonly message: JsonRpcMessage | undefined }): void;
  ownerGone(): void;
}

export function createProgressOffsets(): ProgressOffsets {
  const tokens = new Map<unknown, { base: number; seen: number }>();
  return {
    toHost(report) {
      const { progressToken, progress, total } = report.params ?? {};
      if (typeof progress !== 'number') return report;
      const { base } = tokens.get(progressToken) ?? { base: 0 };
      tokens.set(progressToken, { base, seen: base + progress });
      if (base === 0) return report;
      const params = {
        ...report.params,
        progress: base + progress,
        ...(typeof total === 'number' ? { total: base + total } : {}),
      };
      return { ...report, params };
    },
    answered(asked) {
      // Most requests have none, and are not read for it.
      if (tokens.size === 0) return;
      const meta = asked.message?.params?._meta;
      if (isRecord(meta)) tokens.delete(meta.progressToken);
    },
    ownerGone() {
      for (const token of tokens.values()) token.base = token.seen;
    },
  };
}
