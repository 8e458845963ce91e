import { ToolError } from '@nexus/plugin-sdk';
import { isRecord } from '../normalization/json-type.ts';
import { exampleArguments } from './example.ts';
import { nearestNames } from './nearest.ts';
import type { Issue, ToolListing } from './registered-tool.ts';

/**
 * The answer to arguments that don't fit: what is wrong per path and what was wanted there, the keys
 * that arrived, and an example that would pass.
 */
export function invalidArguments(
  listing: ToolListing,
  args: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
): ToolError {
  const { properties } = listing.inputSchema;
  const declared = isRecord(properties) ? properties : {};
  const receivedKeys = Object.keys(args);
  const example = exampleArguments(listing.inputSchema);
  const lines = [
    `Invalid arguments for ${listing.name}:`,
    ...issues.map((issue) => `- ${issue.path || 'arguments'}: ${describe(issue, args, declared)}`),
    `Received keys: ${receivedKeys.length === 0 ? 'none' : receivedKeys.join(', ')}`,
    `Example that would pass: ${JSON.stringify(example)}`,
  ];
  return new ToolError('NEXUS_INVALID_ARGUMENTS', lines.join('\n'), {
    detail: { issues, receivedKeys, example },
  });
}

function describe(
  issue: Issue,
  args: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, unknown>>,
): string {
  const property = declared[issue.path];
  const about = isRecord(property) && typeof property.description === 'string' ? property.description : '';
  if (isRecord(property) && !Object.hasOwn(args, issue.path)) return `is missing. ${about}`.trimEnd();
  if (issue.message !== 'no such argument') return about ? `${issue.message}. ${about}` : issue.message;
  const near = nearestNames(issue.path, Object.keys(declared), 1)[0];
  return near ? `${issue.message}; did you mean ${near}?` : issue.message;
}
