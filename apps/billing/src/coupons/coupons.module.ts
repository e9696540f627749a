import { Module } from '@nestjs/common';
import { RedeemCoupons } from './redeem-coupons.js';

/** Uses of coupons, within their limits. */
@Module({ providers: [RedeemCoupons], exports: [RedeemCoupons] })
export class CouponsModule {}
