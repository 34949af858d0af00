export function MetricsPage() {
  return <div className="pagebar" />
}
