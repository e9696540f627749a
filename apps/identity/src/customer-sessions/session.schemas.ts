import { Type } from '@sinclair/typebox';

export const CustomerTokensAnswer = Type.Object({
  data: Type.Object({ accessToken: Type.String(), refreshToken: Type.String() }),
});

export const AuthenticatedCustomer = Type.Object({
  data: Type.Object({
    accessToken: Type.String(),
    refreshToken: Type.String(),
    customerAreaLink: Type.String({ format: 'uri' }),
  }),
});

export const EXAMPLE_TOKENS = {
  accessToken: 'cus_Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D3F5H7J9L1N30a1b2c3',
  refreshToken: 'cur_T3v5x7z9B1D3F5H7J9L1N3P5R7T9V1X3Z5b7d9f1h3j0d4e5f6',
};
export const EXAMPLE_LINK = 'https://billing.example/public/customer/login/kJ0n7hQ0yq9m2m0m5n1w7y';
