import { JSON_RPC, ProtocolError } from '../errors/protocol-error.ts';
import type { RegisteredTool, TaskSupport } from '../registry/registered-tool.ts';

function taskSupportOf({ taskSupport, isLong }: RegisteredTool): TaskSupport {
  return taskSupport ?? (isLong ? 'optional' : 'forbidden');
}

/** @throws {ProtocolError} -32601 for a call with `task` of a tool that takes none (MCP 2025-11-25, Tasks) */
export function assertTakesTask(tool: RegisteredTool): void {
  if (taskSupportOf(tool) !== 'forbidden') return;
  const text = `${tool.name} does not run as a task: its execution.taskSupport is forbidden; call it without task`;
  throw new ProtocolError(JSON_RPC.methodNotFound, text);
}

/** @throws {ProtocolError} -32601 for a client's call without `task` of a tool that wants one */
export function assertNeedsNoTask(tool: RegisteredTool): void {
  if (taskSupportOf(tool) !== 'required') return;
  const text = `${tool.name} runs as a task only: its execution.taskSupport is required; call it with task, or from inside another tool`;
  throw new ProtocolError(JSON_RPC.methodNotFound, text);
}
