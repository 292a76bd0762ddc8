/** What a provider misses at the sender, with what to do, on the pages of domains and results. */
export const senderRequirements = {
  spf: 'SPF did not pass. Publish the SPF record of your domain, with the server that sends.',
  dkim: 'DKIM did not pass. Publish the DKIM record of your domain.',
  dmarc: 'DMARC did not pass, or there is no DMARC record. Publish one at _dmarc of your domain.',
  alignment:
    'The From address does not match the domain that SPF or DKIM authenticates. Send from the domain whose records you published.',
  ptr: 'The address of the mail server has no reverse DNS (PTR) record. Whoever runs the server sets it.',
  mx: 'The domain of the sender has no MX or A record.',
  tls: 'The connection was not encrypted (TLS). Whoever runs the mail server switches it on.',
  unsubscribe: 'The List-Unsubscribe header for one-click unsubscribing is missing.',
}
