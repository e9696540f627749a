declare module 'kafkajs/src/network/requestQueue/index.js' {
  const RequestQueue: unknown;
  export default RequestQueue;
}
declare module 'kafkajs/src/network/connection.js' {
  const Connection: unknown;
  export default Connection;
}
declare module 'kafkajs/src/network/socketFactory.js' {
  const socketFactory: unknown;
  export default socketFactory;
}
