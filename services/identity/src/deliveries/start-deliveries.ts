import type { Config } from '../config.ts'
import { deliveries } from './deliveries.ts'
import type { Deps } from '../deps.ts'
import { createMailer } from '../mail/mailer.ts'
import { pushSubject } from '../notice-config.ts'
import { createPushPoster } from '../push/push-poster.ts'
import { type DeliveryQueueOptions, startDeliveryQueue } from '@tapeline/service/outbound/delivery-queue'

type DeliveriesOptions = Omit<DeliveryQueueOptions, 'name'> & { config: Config; queue: string }

/** Starts the delivery of mails by SMTP and pushes by HTTPS, and the conversion of notices into mails and pushes. */
export function startDeliveries(deps: Deps, { config, queue, ...options }: DeliveriesOptions) {
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
  const poster = createPushPoster({
    vapidKeys: deps.vapidKeys,
    subject: pushSubject(config, config.MAIL_FROM),
    rules: deps.pushRules,
  })
  const queues = Object.entries(deliveries(deps, { send: mailer.send, post: poster.post })).map(([name, delivery]) =>
    startDeliveryQueue(delivery, { ...options, name: `${queue}-${name}` }),
  )
  return {
    async stop(): Promise<void> {
      await Promise.all(queues.map((one) => one.stop()))
      mailer.close()
      poster.close()
    },
  }
}
