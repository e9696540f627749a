import { apiKeyPrincipal, type Send, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { People } from './people.js';

/** A service with a tenant whose people sign in at their company. */
export class Company {
  private constructor(
    private readonly fakes: FakeServices,
    readonly test: TestService,
    readonly people: People,
    readonly tenantId: string,
    /** May do everything there. */
    readonly admin: Send,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Company> {
    const fakes = await FakeServices.start('identity');
    const test = await testService(identityService, { directory: fakes.directory, env });
    const { tenantId, admin } = await tenantOf(test, 'Company');
    return new Company(fakes, test, new People(test), tenantId, admin);
  }

  /** Another tenant. */
  another(name: string): Promise<{ tenantId: string; admin: Send }> {
    return tenantOf(this.test, name);
  }

  async stop(): Promise<void> {
    await this.test.stop();
    this.fakes.stop();
  }
}

async function tenantOf(test: TestService, name: string): Promise<{ tenantId: string; admin: Send }> {
  const create = test.service.get(CreateSandboxTenant);
  const { tenantId } = await create.execute({ name, plan: 'standard', features: [], now: null });
  return { tenantId, admin: test.as(apiKeyPrincipal(tenantId, { name: 'Admin key' })) };
}
