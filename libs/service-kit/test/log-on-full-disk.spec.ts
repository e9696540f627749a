import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

// A device of Linux on which every write fails as on a full disk.
const FULL = '/dev/full';
const onLinux = existsSync(FULL) ? it : it.skip;

describe('a log without room', () => {
  onLinux('neither ends the process nor keeps it from ending', async () => {
    const script = `
      import { createLog } from '@kontor/service-kit';
      const log = createLog('billing', 'info');
      for (let n = 0; n < 50; n++) {
        log.info({ n }, 'x'.repeat(1000));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      process.stderr.write('still there');
      process.exit(7);`;
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, said }).toEqual({ code: 7, said: 'still there' });
  });
});
