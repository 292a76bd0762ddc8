/** Reports: growth, campaigns, comparison and audience. */
import type { Meanings } from './meaning.ts'

export const reportMeanings: Meanings = {
  'report.format': 'With `csv` the answer also has the rows as the text of a CSV file.',
  'report.csv': 'The figures of the answer as the text of a CSV file, if `format` is `csv`.',
  'report.time_zone': 'The time zone of the business, which decides where days and months begin.',
  'report.growth.from': 'The first day of the report, such as 2026-11-01.',
  'report.growth.until': 'The last day of the report, which is included.',
  'report.growth.channel': 'The channel: `email` unless you say otherwise.',
  'report.growth.subscribed_before':
    'How many people could be written to when the first day began.',
  'report.growth.subscribed_after':
    'How many people could be written to when the last day ended: `subscribed_before` and `totals.net`.',
  'report.growth.totals': 'The sums of all days.',
  'report.growth.days': 'One entry for each day, also for days on which nothing happened.',
  'report.growth.erased':
    'How many people were erased in these days. Nothing of them is left, so no figure counts them, not even on the day they joined.',
  'day.gained': 'How many people became subscribers.',
  'day.confirmed': 'How many of those gained confirmed by the link in an email.',
  'day.lost': 'How many subscribers were lost, for any of the four reasons.',
  'day.net': 'What was gained less what was lost.',
  'day.unsubscribed': 'How many of those lost unsubscribed.',
  'day.bounced': 'How many of those lost have an address that does not exist.',
  'day.complained': 'How many of those lost reported a message as spam.',
  'day.stopped': 'How many of those lost you stopped, or texted STOP.',
  'total.gained': 'How many people became subscribers.',
  'total.confirmed': 'How many of those gained confirmed by the link in an email.',
  'total.lost': 'How many subscribers were lost, for any of the four reasons.',
  'total.net': 'What was gained less what was lost.',
  'total.unsubscribed': 'How many of those lost unsubscribed.',
  'total.bounced': 'How many of those lost have an address that does not exist.',
  'total.complained': 'How many of those lost reported a message as spam.',
  'total.stopped': 'How many of those lost you stopped, or texted STOP.',
  'day.day': 'The day, such as 2026-11-01.',

  'report.segment_ids':
    'The segments by which the recipients are counted, as they are now; the newest ten unless you name some.',
  'report.campaign_ids': 'The campaigns to compare. The first is the one that others differ from.',
  'report.campaigns': 'The campaigns in the order of `campaign_ids`.',
  'report.rates':
    'Each count as a share of what was sent, from 0 to 1; null where it is not known.',
  'report.counts': 'The number of people for each outcome. Opens and clicks are those of people.',
  'count.sent': 'How many people it was sent to: accepted by the next server, or bounced.',
  'count.delivered': 'How many arrivals were reported.',
  'count.bounced': 'How many messages came back.',
  'count.opened': 'How many people opened it. Machines do not count.',
  'count.clicked': 'How many people followed a link.',
  'count.unsubscribed': 'How many people unsubscribed because of it.',
  'count.complained': 'How many people reported it as spam.',
  'rate.delivered':
    'The share that is known to have arrived; null where arrivals are not reported.',
  'rate.bounced': 'The share that came back.',
  'rate.opened': 'The share of people who opened it.',
  'rate.clicked': 'The share of people who followed a link.',
  'rate.unsubscribed': 'The share of people who unsubscribed because of it.',
  'rate.complained':
    'The share of people who reported it as spam; null where complaints are not reported.',
  'report.campaign_id': 'The campaign that the figures are of.',
  'report.deployed_at': 'When it was ordered to be sent; null for a draft.',
  'report.delivery_reported': 'Whether arrivals are reported; otherwise `delivered` is not known.',
  'report.complaints_reported':
    'Whether complaints are reported, by those providers that report any. Gmail reports none.',
  'report.revenue': 'What people ordered after following a link, by currency.',
  'report.usual': 'The average of the ten campaigns that were sent before it on the same channel.',
  'usual.campaigns': 'How many campaigns there were before it, at most ten.',
  'usual.rates': 'The mean of the rates of these campaigns, each of which counts the same.',
  'report.opens': 'What is known of who opened it.',
  'open.people': 'How many people opened it.',
  'open.machines_only':
    'How many recipients cannot be judged because only a machine loaded the picture, as Apple Mail does.',
  'open.not_tracked':
    'How many recipients cannot be judged because nothing is tracked of them, as they are now.',
  'open.judged': 'How many recipients can be judged: those sent, less the two numbers above.',
  'report.links': 'The links, the most followed first.',
  'report.unsubscribe_ways': 'How the people who unsubscribed because of it did so.',
  'unsubscribe_way.way':
    'By the button of the mail program, by the page, or by another way such as your own program.',
  'unsubscribe_way.people': 'How many people unsubscribed in this way.',
  'report.providers': 'The results by mailbox provider.',
  'report.segments': 'The recipients who are in a segment now. Somebody can be in several.',
  'segment.sent': 'How many people of the segment it was sent to.',
  'segment.opened': 'How many people of the segment opened it.',
  'segment.clicked': 'How many people of the segment followed a link.',
  'segment.unsubscribed': 'How many people of the segment unsubscribed because of it.',
  'report.segments_left_out':
    'Whether counting by segment would take too long, so that there is none.',
  'report.series': 'The results over time.',
  'campaign.rates': 'Each count as a share of what was sent, from 0 to 1; null where not known.',
  'report.name': 'The name of the campaign.',
  'campaign.differences':
    'By how much each rate differs from that of the first campaign; none for the first itself.',
  'difference.rate': 'The rate that differs.',
  'difference.low': 'The lower bound of the difference of the shares, at 95 %.',
  'difference.high': 'The upper bound of the difference of the shares, at 95 %.',
  'difference.beyond_chance':
    'Whether the interval leaves out 0, so that chance alone is unlikely.',

  'report.months': 'How many months back the report goes, 12 unless you say otherwise.',
  'report.contacts': 'How many contacts there are: the sum of all rows.',
  'report.joined': 'The contacts by the month in which they were added, and by source.',
  'joined.month': 'The month, such as 2026-11; null for all months before the first.',
  'joined.source': 'Where they come from: `api`, `import` or `form`.',
  'joined.contacts': 'How many contacts were added.',
  'joined.subscribed': 'How many of them can be written to now.',
  'joined.engaged': 'How many of those opened or clicked in the last 90 days.',
  'joined.not_tracked':
    'How many of those subscribed are not tracked, so that nobody knows whether they read.',
  'report.staying': 'How many subscribers stayed, by the month in which they first subscribed.',
  'staying.month': 'The month in which they first subscribed.',
  'staying.subscribers': 'How many people first subscribed in the month.',
  'staying.after_months':
    'How many of them were still subscribed after one month, after two months, and so on, up to twelve.',
}
