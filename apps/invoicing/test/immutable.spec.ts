import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { servicePrincipal } from '@kontor/testing';
import { type Tenant, World } from './support/world.js';

describe('what was finalized', () => {
  let world: World;
  let tenant: Tenant;
  let id: string;
  let draftId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    const { id: customerId } = await tenant.customer();
    id = (await tenant.draft(customerId)).id;
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    await tenant.send('GET', `/invoices/${id}/pdf`);
    draftId = (await tenant.draft(customerId)).id;
  });
  afterAll(() => world.stop());

  /** As the database's owner, past the application. */
  const run = (sql: string, ...params: unknown[]) => world.test.peek(sql, params);

  it.each([
    ['amounts', 'UPDATE invoice SET net_minor = net_minor + 1, gross_minor = gross_minor + 1 WHERE id = $1'],
    ['the number', `UPDATE invoice SET number = 'X' WHERE id = $1`],
    ['the address', `UPDATE invoice SET invoice_address = '{}' WHERE id = $1`],
    ['the day', `UPDATE invoice SET finalized_at = finalized_at + interval '1 day' WHERE id = $1`],
    ['the document', 'DELETE FROM invoice WHERE id = $1'],
    ['a position', `UPDATE invoice_position SET name = 'X' WHERE invoice_id = $1`],
    ['all positions', 'DELETE FROM invoice_position WHERE invoice_id = $1'],
    [
      'a further position',
      `INSERT INTO invoice_position SELECT (p).* FROM (
         SELECT jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'charge_id', NULL)) AS p
         FROM invoice_position p WHERE invoice_id = $1) p`,
    ],
    ['the snapshot', `UPDATE document_snapshot SET snapshot = '{}' WHERE invoice_id = $1`],
    ['the snapshot, removed', 'DELETE FROM document_snapshot WHERE invoice_id = $1'],
    ['the file', `UPDATE media SET blob_key = repeat('0', 64) WHERE invoice_id = $1`],
    ['the file, removed', 'DELETE FROM media WHERE invoice_id = $1'],
    ['what happened', `UPDATE invoice_history SET type = 'x' WHERE invoice_id = $1`],
    ['what happened, removed', 'DELETE FROM invoice_history WHERE invoice_id = $1'],
    [
      'a number series',
      'UPDATE number_series SET next = next - 1 WHERE tenant_id = (SELECT tenant_id FROM invoice WHERE id = $1)',
    ],
    [
      'a number series, removed',
      'DELETE FROM number_series WHERE tenant_id = (SELECT tenant_id FROM invoice WHERE id = $1)',
    ],
  ])('is not changed by SQL either: %s', async (_what, sql) => {
    await expect(run(sql, id)).rejects.toThrow('finalized documents never change');
  });

  it('takes on what happens to it later; drafts change', async () => {
    await run(`UPDATE invoice SET internal_note = 'x' WHERE id = $1`, id);
    await run(`UPDATE invoice_position SET name = 'X' WHERE invoice_id = $1`, draftId);
    await run('DELETE FROM invoice WHERE id = $1', draftId);
    expect(await world.broken()).toEqual([]);
  });

  it('stays when its tenant is deleted; drafts go with what is known of them, those that were removed, too', async () => {
    const leaves = await world.tenant();
    const customer = await leaves.customer();
    const kept = await leaves.draft(customer.id);
    await leaves.ok('POST', `/invoices/${kept.id}/finalize`);
    await leaves.draft(customer.id);
    await leaves.ok('DELETE', `/invoices/${(await leaves.draft(customer.id)).id}`);
    const erase = world.test.as(servicePrincipal(leaves.id, 'identity'));
    // The rows go; for its events it waits for the other services, of which there are none here.
    expect((await erase('POST', '/internal/tenant-erasure', { wholly: false })).status).toBe(503);
    const left = await run('SELECT DISTINCT invoice_id AS id FROM invoice_history WHERE tenant_id = $1', leaves.id);
    expect(left).toEqual([{ id: kept.id }]);
    expect(await run('SELECT id FROM invoice WHERE tenant_id = $1', leaves.id)).toEqual([{ id: kept.id }]);
  });

  it('is found out by the check when somebody with more rights has changed it', async () => {
    const bypassing = (sql: string) =>
      world.test.peek(`SET session_replication_role = replica; ${sql}; SET session_replication_role = origin`);
    await bypassing(`UPDATE document_snapshot SET snapshot = '{"version":1}' WHERE invoice_id = '${id}'`);
    expect(await world.broken()).toEqual([expect.stringContaining('a snapshot is what was finalized')]);
    const [file] = await world.test.peek<{ key: string }>('SELECT blob_key AS key FROM media WHERE invoice_id = $1', [
      id,
    ]);
    const key = file!.key;
    const path = join(world.test.service.kit.config.blobDir, key.slice(0, 2), key.slice(2, 4), key);
    await appendFile(path, '\n');
    expect(await world.broken()).toContainEqual(expect.stringContaining('a file is what was stored'));
    await rm(path);
    expect(await world.broken()).toContainEqual(expect.stringContaining('a file is what was stored'));
    await bypassing(`UPDATE number_series SET next = next + 1`);
    expect(await world.broken()).toContainEqual(expect.stringContaining('numbers have no gap'));
  });
});
