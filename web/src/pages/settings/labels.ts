import { settingsWords } from '../../words/settings.ts'

/** The names of the fields, for a person who changed the same ones as somebody else. */
export function labelsOf(): Record<string, string> {
  const { archive, about, sending, safety, retention, attention } = settingsWords
  return {
    name: about.name,
    postal_address: about.address,
    time_zone: about.zone,
    language: about.language,
    colour: about.colour,
    privacy_url: about.privacy,
    sender: sending.sender,
    reply_to: sending.replyTo,
    sms_sender: sending.smsSender,
    sms_help: sending.smsHelp,
    track_opens: sending.opens,
    track_clicks: sending.clicks,
    track_transactional: sending.transactional,
    tracking: sending.tracking,
    attribution_days: sending.attribution,
    deploy_limit: safety.limit,
    two_people: safety.twoPeople,
    retention: retention.title,
    attention: attention.title,
    utm: 'UTM',
    archive: archive.title,
  }
}
