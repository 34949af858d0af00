export function AboutPage() {
  return (
    <div className="site prose">
      <h1>About Us</h1>
    </div>
  )
}
