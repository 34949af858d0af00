curl -s "$TAPELINE_URL/readyz"
