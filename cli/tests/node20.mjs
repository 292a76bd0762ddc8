// Takes away what Node 20, the oldest that the command line runs on, does not have.
// `URL.parse` stays: Node's own fetch uses it.
const missing = [
  [globalThis, 'AsyncDisposableStack DisposableStack Float16Array SuppressedError URLPattern'],
  [globalThis, 'CloseEvent Iterator Navigator WebSocket navigator'],
  [Map, 'groupBy'],
  [Object, 'groupBy'],
  [Promise, 'try withResolvers'],
  [Array, 'fromAsync'],
  [
    Set.prototype,
    'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  ],
  [Iterator.prototype, 'drop every filter find flatMap forEach map reduce some take toArray'],
  [RegExp, 'escape'],
  [ArrayBuffer.prototype, 'transfer transferToFixedLength'],
  [Math, 'f16round'],
  [Error, 'isError'],
  [Uint8Array, 'fromBase64 fromHex'],
  [Uint8Array.prototype, 'toBase64 toHex setFromBase64 setFromHex'],
]
for (const [owner, names] of missing) for (const name of names.split(' ')) delete owner[name]
