import { Module } from '@nestjs/common';
import { CustomerBooks } from './customer-books.js';

@Module({ providers: [CustomerBooks], exports: [CustomerBooks] })
export class CustomerBooksModule {}
