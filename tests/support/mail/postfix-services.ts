/** The services of a temporary Postfix (master.cf), none in a chroot. */
const services = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'verify unix - - n - 1 verify',
  'flush unix n - n 1000? 0 flush',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'relay unix - - n - - smtp',
  'showq unix n - n - - showq',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'discard unix - - n - - discard',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'scache unix - - n - 1 scache',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'postlog unix-dgram n - n - 1 postlogd',
]

export function masterCf(port: number): string {
  return [`127.0.0.1:${port} inet n - n - - smtpd`, ...services].map((line) => `${line}\n`).join('')
}
