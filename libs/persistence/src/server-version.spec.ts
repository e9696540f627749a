import { describe, expect, it } from '@jest/globals';
import { OldServerError, refuseOldServer } from './server-version.js';

describe('the version of a server', () => {
  it.each(['15.18 (Debian 15.18-0+deb12u1)', '9.6.24', '14beta1'])('%s is refused with what to do', (version) => {
    expect(() => refuseOldServer(version)).toThrow(OldServerError);
    expect(() => refuseOldServer(version)).toThrow(`is PostgreSQL ${version}, and 16 or newer is needed: upgrade it`);
  });

  it.each(['16.14', '18.4 (Debian 18.4-1.pgdg12+1)', '19beta2'])('%s is accepted', (version) => {
    expect(() => refuseOldServer(version)).not.toThrow();
  });
});
