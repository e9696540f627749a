import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Controller, Put } from '@nestjs/common';
import { couponSchema } from './catalogue.schema.js';
import { coupons } from './coupons.resource.js';
import { lockCatalogueObject, saveCatalogueObject } from './replace-catalogue-object.js';

@Controller('coupons')
export class ToggleCouponController {
  constructor(private readonly db: Database) {}

  /** What is redeemed already goes on. */
  @Put(':id/toggle')
  @Operation({
    id: 'toggleCoupon',
    summary: 'Disable an enabled coupon, enable a disabled one',
    description: 'A disabled coupon cannot be redeemed; discounts that it was redeemed for go on.',
    tag: 'Coupons',
    permission: 'coupon:write',
    response: couponSchema,
  })
  toggle(@Caller() { tenantId }: Principal, @IdParam('id') id: string) {
    return this.db.tenant(tenantId, async (tx) => {
      const row = await lockCatalogueObject(tx, coupons, id);
      row.isEnabled = !row.isEnabled;
      return saveCatalogueObject(tx, coupons, row, row.isEnabled ? 'coupon.enabled' : 'coupon.disabled');
    });
  }
}
