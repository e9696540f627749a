import { describe, expect, it } from '@jest/globals';
import { refusalOfAppUri } from './redirect-uris.js';

describe('addresses of apps', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example/callback?from=kontor',
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'https://[2001:db8::1]/cb',
  ])('%s is fine', (uri) => expect(refusalOfAppUri(uri)).toBeNull());

  it.each([
    'http://app.example/callback',
    'http://localhost.app.example/cb',
    'http://127.0.0.1.app.example/cb',
    'http://[::1]/cb',
    'https://user@app.example/',
    'https://user:password@app.example/',
    'https://app.example/#fragment',
    'https://app.example/#',
    'https://*.app.example/',
    'https://app.example/a/../b',
    'https://app.example/a/..',
    'https://app.example/a/%2e%2e/b',
    'https://app.example/a%2Fb',
    'https:\\\\app.example\\cb',
    'https://app.example/a b',
    'https://app.example/\n',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https:///app.example/cb',
    'HTTPS://app.example/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://callback',
    '//app.example/cb',
    '/callback',
    '',
  ])('%j is refused', (uri) => expect(refusalOfAppUri(uri)).not.toBeNull());
});
