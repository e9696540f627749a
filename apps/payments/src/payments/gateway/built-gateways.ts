import { Injectable } from '@nestjs/common';
import { Gateways, type PaymentGateway } from './payment-gateway.js';
import { fakeProviderGateway, testingGateway } from './testing.gateway.js';

@Injectable()
export class BuiltGateways extends Gateways {
  private readonly byName = new Map<string, PaymentGateway>(
    [testingGateway, fakeProviderGateway].map((gateway) => [gateway.name, gateway]),
  );

  find(name: string): PaymentGateway | undefined {
    return this.byName.get(name);
  }
}
