/** Why a relay cannot be used, in words for the operator, with how to mend it. */
import type { RelayFault } from '../lib/email/smtp/connection.ts'
import { singleLine } from '../lib/text/single-line.ts'

interface Place {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** Where the operator set it. */
  setting: string
  patienceSeconds: number
}

interface Words {
  text: string
  mend: string
}

/** Enough for a reply that names its reason and a page about it. */
const longestReply = 200

/** Node's codes of a certificate that no authority at hand has signed. */
const unknownIssuers = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

export function relayFaultWords({ code, reply }: RelayFault, at: Place): Words {
  const { setting, secure, patienceSeconds } = at
  const address = `${at.host}:${at.port}`
  const quotedReply = reply && `: ${singleLine(reply.slice(0, longestReply))}`
  const hostAndPort = `Check host and port in ${setting}, and that this machine may reach them.`
  if (unknownIssuers.includes(code)) {
    return {
      text: `the certificate of ${address} is not signed by a trusted authority (${code})`,
      mend: 'Give the relay a certificate from a public authority, or set NODE_EXTRA_CA_CERTS to the file of its own authority, in the environment of the service and not in .env.',
    }
  }
  switch (code) {
    case 'EAUTH':
      return {
        text: `${address} rejects the user or password${quotedReply ?? ''}`,
        mend: `Check user and password in ${setting}.`,
      }
    case 'ETLS':
      return {
        text: `${address} does not offer STARTTLS${quotedReply ?? ''}`,
        mend: `Use smtps:// if the relay uses TLS from the first byte. For a relay without TLS on your own network, tls=offered in ${setting} permits sending the password unencrypted.`,
      }
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        text: `the certificate of ${address} is not valid today (${code})`,
        mend: 'Renew the certificate of the relay, and check the clock of this machine.',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        text: `the certificate of ${address} is for another name`,
        mend: `Use the host name of the certificate in ${setting}.`,
      }
    case 'ECONNREFUSED':
      return { text: `nothing listens at ${address}`, mend: hostAndPort }
    case 'EDNS':
    case 'ENOTFOUND':
      return {
        text: `the host name ${at.host} has no address in DNS`,
        mend: `Check the host in ${setting}.`,
      }
    case 'ETIMEDOUT':
      return {
        text: `${address} does not respond within ${patienceSeconds} s`,
        mend: silentMend(at),
      }
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return secure
        ? {
            text: `${address} does not begin with TLS`,
            mend: `Use smtp:// in ${setting}: it begins TLS with STARTTLS.`,
          }
        : { text: `${address} does not work (${code})`, mend: hostAndPort }
  }
  if (quotedReply) {
    return {
      text: `${address} refuses the connection${quotedReply}`,
      mend: 'See what the reply means, and whether the relay accepts this machine.',
    }
  }
  return { text: `${address} does not work (${code})`, mend: hostAndPort }
}

function silentMend({ port, secure, setting }: Place): string {
  if (port === 465 && !secure) return `Use smtps:// in ${setting}: port 465 begins with TLS.`
  return `Check host and port in ${setting}. Many networks block outgoing mail on ports 25, 465 and 587: ask yours, or use another port of the relay, such as 2525.`
}
