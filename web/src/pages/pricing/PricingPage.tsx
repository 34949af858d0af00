export function PricingPage() {
  return <div className="site" />
}
