import { Describe, Uuid } from '@kontor/service-kit';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';

/** Body of `POST /customers/merge`. */
export class MergeCustomersDto {
  @Uuid() @Describe('The customer that stays, with its own name, addresses and settings.') targetCustomerId!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @Uuid({ each: true })
  @Describe('The customers whose everything becomes the other one’s.')
  sourceCustomerIds!: string[];
}
