/** A campaign of about 20 kB of HTML with different words for each recipient. */
import { newsletter } from '../mail/newsletter.ts'

export const campaignWords = {
  subject: newsletter.subject,
  html: newsletter.html ?? '',
  text: 'Dear {{ contact.name }}, our offers of the week: https://shop.example.com/offers',
}
