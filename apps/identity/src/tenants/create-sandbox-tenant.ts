import { Injectable } from '@nestjs/common';
import { FEATURES } from '../domain/tenant.js';
import { type CreatedTenant, OpenTenant } from './open-tenant.js';

export interface NewSandboxTenant {
  readonly name: string;
  readonly plan: 'standard' | 'enterprise';
  readonly features: readonly string[];
  /** Its clock's time from the start; null: real time. */
  readonly now: Date | null;
}

/** A sandbox tenant with a key for everything, known to all services when this resolves. */
@Injectable()
export class CreateSandboxTenant {
  constructor(private readonly openTenant: OpenTenant) {}

  execute(request: NewSandboxTenant, permissions: readonly string[] = ['*']): Promise<CreatedTenant> {
    return this.openTenant.execute({ ...request, mode: 'sandbox' }, { name: 'Start-up key', permissions });
  }

  /** The tenant and key of a first start: enterprise, every feature, and `operator`. */
  firstTenant(): Promise<CreatedTenant> {
    return this.execute({ name: 'Sandbox', plan: 'enterprise', features: FEATURES, now: null }, ['*', 'operator']);
  }
}
