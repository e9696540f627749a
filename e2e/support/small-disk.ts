import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of Linux: may mount. */
const CAP_SYS_ADMIN = 21n;

/** A small file system of its own, so that the disk of the machine itself is not filled by a test. */
export class SmallDisk {
  private readonly fillers: string[] = [];

  private constructor(readonly folder: string) {}

  /** Undefined where it could not be mounted. */
  static mount(size: string): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-small-disk-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder]).status === 0)
      return new SmallDisk(folder);
    rmSync(folder, { recursive: true });
    return undefined;
  }

  /** Whether this process may mount one: it is asked where specs are only listed, so nothing is tried. */
  static canBe(): boolean {
    if (!existsSync('/proc/self/status')) return false;
    const [, capabilities] = /^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return ((BigInt(`0x${capabilities ?? 0}`) >> CAP_SYS_ADMIN) & 1n) === 1n;
  }

  /** Takes all the room that is left, as somebody else's runaway log would. */
  fill(): void {
    const file = join(this.folder, `filler-${this.fillers.length}`);
    this.fillers.push(file);
    const piece = Buffer.alloc(1024 * 1024);
    const target = openSync(file, 'w');
    try {
      for (let size = piece.length; size >= 4096;) {
        try {
          writeSync(target, piece, 0, size);
        } catch {
          size /= 2;
        }
      }
    } finally {
      closeSync(target);
    }
  }

  makeRoom(): void {
    for (const file of this.fillers.splice(0)) rmSync(file);
  }

  /** At once for everybody else; for a process that was left behind, when it ends. */
  unmount(): void {
    spawnSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
