/** Expressions of a URI template that stand for more than one segment (RFC 6570, section 3.2). */
const WIDE = /^[+#/?&]|\*\}?$/;

/** Whether a URI may be one that the template (RFC 6570) makes: enough to tell whose it is. */
export function matchesTemplate(template: string, uri: string): boolean {
  const pattern = template
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? expression(part.slice(1, -1)) : escapeForPattern(part)))
    .join('');
  return new RegExp(`^${pattern}$`, 's').test(uri);
}

function expression(inner: string): string {
  return WIDE.test(inner) ? '.*' : '[^/?#]+';
}

/** As `RegExp.escape`, which Node has from 24 on. */
function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
