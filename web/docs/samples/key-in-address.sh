curl -s "$TAPELINE_URL/api/v1/instruments?api_key=tl_live_anything"
