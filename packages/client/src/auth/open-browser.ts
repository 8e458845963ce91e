import { spawn } from 'node:child_process';

/**
 * Shows a URL in the user's browser.
 * @throws there is no program that opens URLs
 */
export async function openBrowser(url: URL): Promise<void> {
  const { command, args } = opener(url.href);
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}

function opener(url: string): { readonly command: string; readonly args: readonly string[] } {
  switch (process.platform) {
    case 'darwin':
      return { command: 'open', args: [url] };
    case 'win32':
      // Not `start`, which is the shell's and would read the URL's `&`.
      return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
    default:
      return { command: 'xdg-open', args: [url] };
  }
}
