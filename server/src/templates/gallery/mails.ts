/** The mails of the gallery, loaded when one is first asked for: an idle service needs none. */
import type { GalleryMail } from './mail.ts'
import { announcement } from './mails/announcement.ts'
import { appointment } from './mails/appointment.ts'
import { backInStock } from './mails/back-in-stock.ts'
import { birthday } from './mails/birthday.ts'
import { cart } from './mails/cart.ts'
import { donation } from './mails/donation.ts'
import { event } from './mails/event.ts'
import { invoice } from './mails/invoice.ts'
import { job } from './mails/job.ts'
import { newsletter } from './mails/newsletter.ts'
import { passwordReset } from './mails/password-reset.ts'
import { press } from './mails/press.ts'
import { productLaunch } from './mails/product-launch.ts'
import { rePermission } from './mails/re-permission.ts'
import { receipt } from './mails/receipt.ts'
import { review } from './mails/review.ts'
import { sale } from './mails/sale.ts'
import { season } from './mails/season.ts'
import { shipping } from './mails/shipping.ts'
import { survey } from './mails/survey.ts'
import { thankYou } from './mails/thank-you.ts'
import { webinar } from './mails/webinar.ts'
import { welcome1 } from './mails/welcome-1.ts'
import { welcome2 } from './mails/welcome-2.ts'
import { winBack } from './mails/win-back.ts'

/** In the order in which the app shows them. */
export const mails: readonly GalleryMail[] = [
  newsletter,
  announcement,
  sale,
  event,
  welcome1,
  welcome2,
  productLaunch,
  season,
  birthday,
  winBack,
  review,
  backInStock,
  cart,
  survey,
  rePermission,
  thankYou,
  donation,
  webinar,
  job,
  press,
  appointment,
  receipt,
  shipping,
  invoice,
  passwordReset,
]
