import { isSecretName } from './secret-names.ts';

/** Values of an environment that are secrets: those under a name that says so, and passwords in URLs. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    isSecretName(name) ? [value] : urlSecrets(value).slice(0, 1),
  );
}

/** What a URL holds in confidence: its password first, then what its query says, as read and as written. */
export function urlSecrets(url: string): string[] {
  if (!url.includes('://') || !URL.canParse(url)) return [];
  const { password, searchParams, search } = new URL(url);
  const written = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [password, decoded(password), ...searchParams.values(), ...written];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
