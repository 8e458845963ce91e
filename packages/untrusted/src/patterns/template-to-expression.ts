import { escapeForExpression } from './escape.ts';

/** Expressions of a URI template that stand for more than one segment (RFC 6570, section 3.2). */
const WIDE = /^[+#/?&]|\*\}?$/;

/** What a template (RFC 6570) may become, as a regular expression over the whole URI. */
export function templateToExpression(template: string): string {
  const parts = template
    .split(/(\{[^{}]*\})/)
    .map((part) =>
      part.startsWith('{') && part.endsWith('}') ? expansion(part.slice(1, -1)) : escapeForExpression(part),
    );
  return `^${parts.join('')}$`;
}

function expansion(inner: string): string {
  return WIDE.test(inner) ? '[^]*' : '[^/?#]+';
}
