import { spawn } from 'node:child_process';
import { programEnvironment } from '@nexus/plugin-sdk';

/** What finds the user's screen, session and choice of browser. */
const DESKTOP = [
  'BROWSER',
  'DBUS_SESSION_BUS_ADDRESS',
  'DESKTOP_SESSION',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'WSL_DISTRO_NAME',
  'WSL_INTEROP',
  'XAUTHORITY',
  'XDG_CONFIG_DIRS',
  'XDG_CURRENT_DESKTOP',
  'XDG_DATA_DIRS',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
];

/**
 * Shows a URL in the user's browser.
 * @throws there is no program that opens URLs
 */
export async function openBrowser(url: URL): Promise<void> {
  const { command, args } = opener(url.href);
  const child = spawn(command, args, {
    detached: true,
    env: programEnvironment(DESKTOP),
    stdio: 'ignore',
  });
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
