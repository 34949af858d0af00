import { t } from '@lingui/core/macro'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'

export function KeysSkeleton() {
  return (
    <Skeleton label={t`Loading your keys`}>
      <section className="panel keys">
        {[0, 1, 2].map((row) => (
          <div className="keyrow" key={row}>
            <div>
              <Bone widthPx={112} />
              <br />
              <Bone widthPx={196} />
            </div>
            <Bone widthPx={420} heightPx={44} />
          </div>
        ))}
      </section>
    </Skeleton>
  )
}
